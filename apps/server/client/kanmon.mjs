#!/usr/bin/env node
/** The `kanmon` command of the package: what it loads needs this Node. */
import { enableCompileCache } from "node:module"

const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`kanmon: Node ${process.versions.node} is too old; install Node 22.19 or newer\n`)
  process.exit(1)
}

enableCompileCache()
const program = new URL("dist/kanmon.js", import.meta.url)
const { run } = await import(program.href)
run()
