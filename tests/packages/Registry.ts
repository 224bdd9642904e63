/** A registry on loopback that has our tarballs, as npm's would have them once they are published. */
import { createHash } from "node:crypto"
import * as fs from "node:fs/promises"
import { createServer } from "node:http"
import * as path from "node:path"
import { createPackageFromTarballData } from "@arethetypeswrong/core"
import { Effect, type Scope } from "effect"

/** A package as it would be published. */
export interface Packed {
  readonly name: string
  readonly tarball: Uint8Array
  readonly manifest: {
    readonly name: string
    readonly version: string
    readonly exports: Readonly<Record<string, unknown>>
  }
  /** Its files, by their paths in it. */
  readonly files: Readonly<Record<string, string>>
}

/** Opens a tarball. */
export const open = async (name: string, file: string): Promise<Packed> => {
  const tarball = await fs.readFile(file)
  const opened = createPackageFromTarballData(tarball)
  const folder = `/node_modules/${name}`
  const files = Object.fromEntries(
    opened.listFiles(folder).map((place) => [path.posix.relative(folder, place), opened.readFile(place)])
  )
  return { name, tarball, files, manifest: JSON.parse(files["package.json"]!) as Packed["manifest"] }
}

/** Serves them, and answers the address. */
export const make = (packages: ReadonlyArray<Packed>): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly address: string; readonly close: () => void }>((resume) => {
        const server = createServer((request, response) => {
          const { host } = request.headers
          const asked = decodeURIComponent(request.url ?? "/").slice(1)
          const found = packages.find(({ name }) => asked === name || asked === `${name}.tgz`)
          // Ports come around again: what npm learned here is worth nothing the next time.
          response.setHeader("cache-control", "no-store")
          if (found === undefined) response.writeHead(404).end("{}")
          else if (asked === found.name) response.end(JSON.stringify(described(found, `http://${host}/`)))
          else response.end(found.tarball)
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as { readonly port: number }
          resume(Effect.succeed({ address: `http://127.0.0.1:${port}/`, close: () => server.close() }))
        })
      }),
      ({ close }) => Effect.sync(close)
    ),
    ({ address }) => address
  )

const described = ({ manifest, name, tarball }: Packed, address: string): object => ({
  name,
  "dist-tags": { latest: manifest.version },
  versions: {
    [manifest.version]: {
      ...manifest,
      dist: {
        tarball: `${address}${name}.tgz`,
        integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`
      }
    }
  }
})
