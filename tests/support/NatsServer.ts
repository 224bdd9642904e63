/**
 * Whether nats-server is installed. Tests that need it are skipped without it, and say so; where tests must be complete
 * (`CI` is set) they fail.
 */
import { existsSync } from "node:fs"
import * as path from "node:path"

/** Debian installs servers in folders that are not on every PATH. */
export const searchPath = [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/sbin"].join(path.delimiter)

const installed = searchPath.split(path.delimiter).some((folder) => existsSync(path.join(folder, "nats-server")))

export const skipped = !installed && !process.env["CI"]

/** For titles of skipped tests. */
export const note = skipped ? " (skipped: nats-server is not installed)" : ""
