#!/usr/bin/env node
/** The `kanmon` command on a PATH: an older Node hands over to the one that came with `npm ci`. */
import { spawn } from "node:child_process"
import { constants } from "node:os"
import { fileURLToPath } from "node:url"

const [major, minor] = process.versions.node.split(".").map(Number)

if (major > 22 || (major === 22 && minor >= 19)) {
  await import("../src/main.js")
} else {
  const here = (file) => fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(here("../../../node_modules/.bin/node"), [here("../src/main.js"), ...process.argv.slice(2)], {
    stdio: "inherit"
  })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("error", ({ message }) => {
    process.stderr.write(
      `kanmon: Node ${process.versions.node} is too old, and the one of \`npm ci\` does not start: ${message}\n`
    )
    process.exitCode = 1
  })
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
}
