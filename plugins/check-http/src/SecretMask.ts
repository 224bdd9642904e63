/**
 * Masks every occurrence of any number of secrets in a text. The time is linear in the length of the secrets and of the text:
 * secrets are compared by hashes, one pass over the text for each length that secrets have, and these are few.
 */
import { randomInt } from "node:crypto"

export const mask = "••••"

/** Shorter values are in any text. */
export const shortest = 4
/** Longer secrets are searched for in pieces of this length. */
const longest = 64

export interface SecretMask {
  /** The text with every secret masked. Adjoining and overlapping secrets become one mask. */
  readonly hide: (text: string) => string
  /** The same for a text that was cut: the beginning of a secret at its end is masked, too. */
  readonly hideCut: (text: string) => string
}

// A prime and a random base: a server cannot choose texts with equal hashes. Products stay exact.
const modulus = 67_108_859
const base = randomInt(1_000_000, modulus)

/** Makes a mask of secrets and ignores those that are too short. */
export const make = (secrets: Iterable<string>): SecretMask => {
  /** Pieces by their length and their hash. */
  const byLength = new Map<number, Map<number, Set<string>>>()
  const pieces = new Set<string>()
  for (const secret of secrets)
    for (const piece of piecesOf(secret)) {
      if (pieces.has(piece)) continue
      pieces.add(piece)
      const byHash = byLength.get(piece.length) ?? new Map<number, Set<string>>()
      const hash = hashOf(piece, piece.length)
      byLength.set(piece.length, byHash)
      byHash.set(hash, (byHash.get(hash) ?? new Set()).add(piece))
    }

  /** The text without every secret, and without its last characters. */
  const hidden = (text: string, cut: number): string => {
    const covered = new Uint8Array(text.length).fill(1, text.length - cut)
    for (const [length, byHash] of byLength)
      for (const at of found(text, length, byHash)) covered.fill(1, at, at + length)
    return masked(text, covered)
  }

  return {
    hide: (text) => hidden(text, 0),
    hideCut: (text) => {
      // Searched for in the text itself: the piece before, or another secret, may cover a part of the beginning.
      let cut = 0
      for (const piece of pieces) cut = Math.max(cut, overlap(text, piece))
      return hidden(text, cut)
    }
  }
}

/** The last piece of a long secret overlaps the one before it, so that it is not short. */
const piecesOf = (secret: string): ReadonlyArray<string> => {
  if (secret.length < shortest) return []
  if (secret.length <= longest) return [secret]
  const pieces: Array<string> = []
  for (let at = 0; at + longest <= secret.length; at += longest) pieces.push(secret.slice(at, at + longest))
  if (secret.length % longest > 0) pieces.push(secret.slice(-longest))
  return pieces
}

const hashOf = (text: string, length: number): number => {
  let hash = 0
  for (let at = 0; at < length; at++) hash = (hash * base + text.charCodeAt(at)) % modulus
  return hash
}

/** Where pieces of one length are. */
function* found(text: string, length: number, byHash: ReadonlyMap<number, ReadonlySet<string>>): Generator<number> {
  if (text.length < length) return
  let leading = 1
  for (let at = 1; at < length; at++) leading = (leading * base) % modulus
  let hash = hashOf(text, length)
  for (let at = 0; ; at++) {
    if (byHash.get(hash)?.has(text.slice(at, at + length)) === true) yield at
    if (at + length >= text.length) return
    const without = (hash + modulus - ((text.charCodeAt(at) * leading) % modulus)) % modulus
    hash = (without * base + text.charCodeAt(at + length)) % modulus
  }
}

const masked = (text: string, covered: Uint8Array): string => {
  let shown = ""
  for (let at = 0; at < text.length;) {
    const isCovered = covered[at] === 1
    const next = covered.indexOf(isCovered ? 0 : 1, at)
    const end = next < 0 ? text.length : next
    shown += isCovered ? mask : text.slice(at, end)
    at = end
  }
  return shown
}

/** The longest beginning of a piece, shorter than it, that the text ends with. Pieces are short. */
const overlap = (text: string, piece: string): number => {
  const most = Math.min(piece.length - 1, text.length)
  for (let length = most; length >= shortest; length--) if (text.endsWith(piece.slice(0, length))) return length
  return 0
}
