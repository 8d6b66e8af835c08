package maekawa

import "contend/model"

var variants = []model.Variant{}
