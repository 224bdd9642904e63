/**
 * The renderings of a loaded page (HTML, JSON, feeds, badges), each rendered and compressed once. Visitors can request any of
 * them, so the size of all renderings together is limited.
 */
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { PublicPage } from "@kanmon/domain/PublicPage"
import { version } from "@kanmon/platform/version"

/** How a page is rendered. */
export interface Rendering {
  /** Unique among the page's renderings. */
  readonly name: string
  readonly contentType: string
  readonly render: (page: PublicPage) => string | Promise<string>
}

/** A rendered page, ready to be sent. */
export interface View {
  readonly contentType: string
  readonly plain: Uint8Array
  readonly gzip: Uint8Array
}

const pack = promisify(gzip)
/** Renderings that a reload prepares; others are rendered when they are requested. */
const maxPrepared = 32

interface Made {
  readonly rendering: Rendering
  readonly view: Promise<View>
}

/** Estimated overhead of a rendering in bytes, so that many small ones count, too. */
const overhead = 200

/** A memory limit, in bytes, for the renderings of all pages. The least recently used are dropped. */
export class ViewRoom {
  readonly #limit: number
  readonly #kept = new Map<Made, { readonly bytes: number; readonly drop: () => void }>()
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get used(): number {
    return this.#used
  }

  /** Adds a rendering. `drop` is called when it has to be released; the page must not be reachable from it. */
  keep(made: Made, view: View, drop: () => void): void {
    const bytes = view.plain.length + view.gzip.length + overhead
    if (bytes > this.#limit) return drop()
    this.#kept.set(made, { bytes, drop })
    this.#used += bytes
    for (const [oldest, other] of this.#kept) {
      if (this.#used <= this.#limit) break
      this.release(oldest)
      other.drop()
    }
  }

  /** Frees the place of a rendering that can no longer be requested. */
  release(made: Made): void {
    const kept = this.#kept.get(made)
    if (kept === undefined) return
    this.#kept.delete(made)
    this.#used -= kept.bytes
  }

  /** Marks a rendering as recently used. */
  touch(made: Made): void {
    const kept = this.#kept.get(made)
    if (kept === undefined) return
    this.#kept.delete(made)
    this.#kept.set(made, kept)
  }
}

export class PageViews {
  readonly page: PublicPage
  /** The sites that may show the compact form. */
  readonly embedOrigins: ReadonlyArray<string>
  /** The page's own size, in characters of JSON. */
  readonly size: number
  readonly #room: ViewRoom
  readonly #digest: string
  readonly #views = new Map<string, Made>()
  #retired = false

  constructor(page: PublicPage, room: ViewRoom, embedOrigins: ReadonlyArray<string> = []) {
    this.page = page
    this.embedOrigins = embedOrigins
    this.#room = room
    // The time of the load does not change the content.
    const { updatedAt: _, ...content } = page
    const text = JSON.stringify(content)
    this.size = text.length
    this.#digest = createHash("sha256").update(version).update(text).update(embedOrigins.join(" ")).digest("base64url")
  }

  /** Names of the cached renderings. */
  get kept(): Iterable<string> {
    return this.#views.keys()
  }

  /** The entity tag (RFC 9110 §8.8.3) of a rendering, which changes only with its content. */
  tag({ name }: Rendering): string {
    return `W/"${createHash("sha256").update(this.#digest).update(name).digest("base64url").slice(0, 22)}"`
  }

  view(rendering: Rendering): Promise<View> {
    const { name } = rendering
    const known = this.#views.get(name)
    if (known !== undefined) {
      this.#room.touch(known)
      return known.view
    }
    const made: Made = { rendering, view: make(rendering, this.page) }
    const drop = dropOf(this.#views, name)
    this.#views.set(name, made)
    made.view.then((view) => (this.#retired ? undefined : this.#room.keep(made, view, drop)), drop)
    return made.view
  }

  /** Frees the room of the renderings, because the page can no longer be found. Present readers continue. */
  retire(): void {
    this.#retired = true
    for (const made of this.#views.values()) this.#room.release(made)
  }

  /** Prepares the renderings that were requested of an older version of the page. */
  async prepare(before: PageViews): Promise<void> {
    for (const { rendering } of [...before.#views.values()].slice(-maxPrepared)) await this.view(rendering)
  }
}

/** Made apart from the page, which would stay in memory as long as its renderings. */
const dropOf = (views: Map<string, Made>, name: string) => (): void => void views.delete(name)

const make = async ({ contentType, render }: Rendering, page: PublicPage): Promise<View> =>
  viewOf(contentType, await render(page))

/** A text, ready to be sent. */
export const viewOf = async (contentType: string, text: string): Promise<View> => {
  const plain = Buffer.from(text)
  return { contentType, plain, gzip: await pack(plain) }
}
