/** What a loaded page is shown as (HTML, JSON, feeds, badges), each rendered once, and packed once. */
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { PublicPage } from "@kanmon/domain/PublicPage"
import { version } from "../version.ts"

/** How a page is rendered. */
export interface Rendering {
  /** Tells it from the page's other renderings. */
  readonly name: string
  readonly contentType: string
  readonly render: (page: PublicPage) => string
}

/** A rendering of one page, ready to be sent. */
export interface View {
  readonly contentType: string
  readonly plain: Uint8Array
  readonly gzip: Uint8Array
}

const pack = promisify(gzip)
/** Renderings that are made again ahead of the readers; the rest wait until somebody asks. */
const mostPrepared = 32

export class PageViews {
  readonly page: PublicPage
  readonly #digest: string
  readonly #views = new Map<string, { readonly rendering: Rendering; readonly view: Promise<View> }>()

  constructor(page: PublicPage) {
    this.page = page
    // When it was looked at does not change what there is to see.
    const { updatedAt: _, ...content } = page
    this.#digest = createHash("sha256").update(version).update(JSON.stringify(content)).digest("base64url")
  }

  /** The entity tag (RFC 9110 §8.8.3) of a rendering: the same as long as there is nothing new to see. */
  tag({ name }: Rendering): string {
    return `W/"${createHash("sha256").update(this.#digest).update(name).digest("base64url").slice(0, 22)}"`
  }

  view(rendering: Rendering): Promise<View> {
    const made = this.#views.get(rendering.name)
    if (made !== undefined) return made.view
    const view = make(rendering, this.page)
    this.#views.set(rendering.name, { rendering, view })
    return view
  }

  /** Makes what has been asked of an older page, so that nobody waits for it. */
  async prepare(before: PageViews): Promise<void> {
    for (const { rendering } of [...before.#views.values()].slice(-mostPrepared)) await this.view(rendering)
  }
}

const make = ({ contentType, render }: Rendering, page: PublicPage): Promise<View> => viewOf(contentType, render(page))

/** A text, ready to be sent. */
export const viewOf = async (contentType: string, text: string): Promise<View> => {
  const plain = Buffer.from(text)
  return { contentType, plain, gzip: await pack(plain) }
}
