/** `npm run build`: builds the dashboard, with each file beside its compressed forms. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { build } from "vite"

const root = path.resolve(import.meta.dirname, "..")
const dist = path.join(root, "dist")

const compressed = {
  ".br": (content: Uint8Array) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  ".gz": (content: Uint8Array) => promisify(gzip)(content, { level: 9 })
}

const began = performance.now()
await rm(dist, { recursive: true, force: true })
await build({ root, configFile: path.join(root, "vite.config.ts") })
const entries = await readdir(dist, { recursive: true, withFileTypes: true })
await Promise.all(
  entries
    .filter((entry) => entry.isFile() && /\.(js|css|html|svg|json)$/.test(entry.name))
    .flatMap((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return Object.entries(compressed).map(async ([suffix, compress]) =>
        writeFile(file + suffix, await compress(await readFile(file)))
      )
    })
)
console.log(`The dashboard is built (${((performance.now() - began) / 1000).toFixed(1)} s)`)
