/** The build of the dashboard that the product serves. `npm ci` leaves one; after a change of its sources it is made again. */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"

const root = path.resolve(import.meta.dirname, "../..")
const dashboard = path.join(root, "apps/dashboard")

export const folder = path.join(dashboard, "dist")

const sources = ["src", "index.html", "vite.config.ts", "package.json", "../../packages/status-page/src"]

const newestIn = async (place: string): Promise<number> => {
  const stats = await fs.stat(place)
  if (!stats.isDirectory()) return stats.mtimeMs
  const names = await fs.readdir(place)
  return Math.max(...(await Promise.all(names.map((name) => newestIn(path.join(place, name))))))
}

/** Builds it unless the build is newer than everything it is made of. */
export const ensure = async (): Promise<void> => {
  const built = await fs.stat(path.join(folder, "index.html")).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0
  )
  const changed = Math.max(...(await Promise.all(sources.map((source) => newestIn(path.join(dashboard, source))))))
  if (changed <= built) return
  // Vitest's own NODE_ENV would make a development build: larger, slower, and not what users get.
  const env = { ...process.env, NODE_ENV: "production" }
  await promisify(execFile)(process.execPath, [path.join(dashboard, "scripts/build.ts")], { env })
}
