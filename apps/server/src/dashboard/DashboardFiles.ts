/**
 * The built dashboard in memory. The build writes each file beside its compressed forms (`.br`, `.gz`); files below `assets/`
 * have a hash of their content in their name.
 */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"

export type Encoding = "br" | "gzip"

export interface DashboardFile {
  readonly contentType: string
  readonly plain: Uint8Array
  readonly packed: Readonly<Partial<Record<Encoding, Uint8Array>>>
}

export interface DashboardFiles {
  /** The document of every page. */
  readonly document: DashboardFile
  /** Changes with the document. */
  readonly tag: string
  /** Allows the scripts and styles of the document, and requests to the same origin. */
  readonly contentSecurityPolicy: string
  /** By path, for example `/assets/index-1a2b3c4d.js`. */
  readonly assets: ReadonlyMap<string, DashboardFile>
}

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2"
}

const suffixes = { br: ".br", gzip: ".gz" } as const

const isPacked = (file: string): boolean => Object.values(suffixes).includes(path.extname(file) as ".br" | ".gz")

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("base64")

/** Inline scripts of the document are allowed by their hashes. */
const policyOf = (document: string): string => {
  const inline = [...document.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${sha256(script)}'`
  )
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...inline].join(" ")}`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ].join("; ")
}

/** The document of an installation below a path. The build writes the addresses of its files from the root of a host. */
const placed = (document: DashboardFile, root: string): DashboardFile => {
  if (root === "") return document
  const text = new TextDecoder().decode(document.plain).replaceAll('="/assets/', `="${root}/assets/`)
  const plain = new TextEncoder().encode(text)
  return { ...document, plain, packed: { br: brotliCompressSync(plain), gzip: gzipSync(plain) } }
}

/**
 * Reads the folder of the build, for an installation below the path `root`; undefined when there is none. In one go: a hundred
 * small reads, each of which waits for its turn among the checks of a process that restarts, would keep the port closed for
 * seconds.
 */
export const read = (folder: string, root: string): DashboardFiles | undefined => {
  if (!existsSync(path.join(folder, "index.html"))) return undefined
  const names = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
  )
  const load = (name: string): DashboardFile => {
    const packed: Partial<Record<Encoding, Uint8Array>> = {}
    for (const encoding of ["br", "gzip"] as const)
      if (names.has(name + suffixes[encoding]))
        packed[encoding] = readFileSync(path.join(folder, name + suffixes[encoding]))
    return {
      contentType: contentTypes[path.extname(name)] ?? "application/octet-stream",
      plain: readFileSync(path.join(folder, name)),
      packed
    }
  }
  const assets = new Map<string, DashboardFile>()
  for (const name of names)
    if (!isPacked(name) && name !== "index.html") assets.set(`/${name.split(path.sep).join("/")}`, load(name))
  const document = placed(load("index.html"), root)
  return {
    document,
    tag: `"${sha256(document.plain).slice(0, 16)}"`,
    contentSecurityPolicy: policyOf(new TextDecoder().decode(document.plain)),
    assets
  }
}
