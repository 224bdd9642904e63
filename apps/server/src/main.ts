#!/usr/bin/env node
/** The `kanmon` command. */
import { enableCompileCache } from "node:module"

// Name lookups run on Node's thread pool: with its four threads, four slow name servers would hold up every check.
// oxlint-disable-next-line node/no-process-env -- read by the runtime itself, before anything else.
process.env["UV_THREADPOOL_SIZE"] ??= "32"

// What is loaded is kept compiled, below the system's folder for temporary files: the next start takes half the time.
enableCompileCache()

const { run } = await import("./cli/Kanmon.ts")
run()
