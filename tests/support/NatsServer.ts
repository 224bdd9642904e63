/**
 * Whether this machine has a nats-server. Tests that need one are skipped, and say so, where there is none; where tests must
 * be complete (`CI` is set) they run and fail.
 */
import { existsSync } from "node:fs"
import * as path from "node:path"

/** Where programs are looked for: Debian keeps servers where not everybody looks. */
export const searchPath = [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/sbin"].join(path.delimiter)

const installed = searchPath.split(path.delimiter).some((folder) => existsSync(path.join(folder, "nats-server")))

export const skipped = !installed && !process.env["CI"]

/** For the names of tests that are skipped. */
export const note = skipped ? " (skipped: nats-server is not installed)" : ""
