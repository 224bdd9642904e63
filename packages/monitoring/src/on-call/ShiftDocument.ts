/** Shifts as JSON in pieces: a year of hourly turns would hold up other requests if it were written at once. */
import type { NamedShift } from "@kanmon/domain/OnCallShifts"
import type { Span } from "@kanmon/domain/Spans"
import { toIso } from "@kanmon/domain/Timestamp"
import * as Turns from "@kanmon/platform/Turns"
import { Array, Effect } from "effect"
import type { PreviewedShifts, WindowShifts } from "./Shifts.ts"

const perPiece = 1000

const period = ({ from, to }: Span) => ({ from: toIso(from), to: toIso(to) })

const shift = ({ layer, overrideId, userId, ...span }: NamedShift) => ({ ...period(span), userId, layer, overrideId })

/** The document in the encoding of the contract's schemas. */
export const make = Effect.fnUntraced(function* (shown: WindowShifts | PreviewedShifts) {
  const pieces: Array<Uint8Array> = []
  const add = (text: string) => void pieces.push(Buffer.from(text))
  const list = Effect.fnUntraced(function* <A>(all: ReadonlyArray<A>, encode: (one: A) => object) {
    add("[")
    yield* Turns.map(Array.chunksOf(all, perPiece), 1, (part, index) =>
      add(`${index === 0 ? "" : ","}${JSON.stringify(part.map(encode)).slice(1, -1)}`)
    )
    add("]")
  })

  add(`{"shifts":`)
  yield* list(shown.shifts, shift)
  add(`,"gaps":`)
  yield* list(shown.gaps, period)
  add(`,"layers":[`)
  for (const [index, { name, shifts }] of shown.layers.entries()) {
    add(`${index === 0 ? "" : ","}{"name":${JSON.stringify(name)},"shifts":`)
    yield* list(shifts, shift)
    add("}")
  }
  add("]")
  if ("movedUserIds" in shown) add(`,"movedUserIds":${JSON.stringify(shown.movedUserIds)}`)
  add("}")
  return pieces
})
