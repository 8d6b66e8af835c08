// This file is empty. It lets links.go declare functions without bodies.
