package inner

import "C"
