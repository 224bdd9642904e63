#!/usr/bin/env node
/** The `kanmon` command of the package: what it loads needs this Node. */
// As a whole: a name that an old Node does not export would end it before it can say so.
import * as module from "node:module"

const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`kanmon: Node ${process.versions.node} is too old; install Node 22.19 or newer\n`)
  process.exit(1)
}

module.enableCompileCache()
const program = new URL("dist/kanmon.js", import.meta.url)
const { run } = await import(program.href)
run()
