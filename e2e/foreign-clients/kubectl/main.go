// Package main is kubectl of a release that speaks SPDY alone, as a foreign client of kas.
package main

import (
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		// kubectl prints its errors itself, without cobra's usage text.
		util.CheckErr(err)
	}
}
