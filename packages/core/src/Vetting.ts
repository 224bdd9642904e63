/**
 * Examines configurations of checks in the bounded evaluator, all of one request together, with one budget of CPU time.
 */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { Effect } from "effect"
import { BoundedEvaluator, type EvaluationFailed } from "./BoundedEvaluator.ts"
import type { Check } from "./Check.ts"

/** The fields of a configuration of a kind. They may be invalid. */
export interface Configured {
  readonly type: string
  readonly fields: Readonly<Record<string, unknown>>
}

type Kinds = ReadonlyMap<string, Check>

/** The kinds with a `normalize` that is cheap, for those who let {@link problems} examine what passes it. */
export const cheap = (kinds: Kinds): Kinds =>
  new Map([...kinds].map(([type, kind]) => [type, { ...kind, normalize: (kind.vetting ?? kind).normalize }]))

/** The examined part of a configuration, as a text: configurations with the same text have the same problems. */
export const subject = (kinds: Kinds, { fields, type }: Configured): string | undefined => {
  const settings = kinds.get(type)?.vetting?.of(fields)
  return settings === undefined ? undefined : JSON.stringify(settings)
}

/**
 * The invalid fields of each configuration, in their order. Equal ones are examined once. Fails with `too_expensive` when they
 * need more CPU time than one evaluation has, all of them together.
 */
export const problems = Effect.fnUntraced(function* (
  kinds: Kinds,
  all: ReadonlyArray<Configured>
): Effect.fn.Return<ReadonlyArray<ReadonlyArray<FieldError>>, EvaluationFailed, BoundedEvaluator> {
  const evaluator = yield* BoundedEvaluator
  const found: Array<ReadonlyArray<FieldError>> = all.map(() => [])
  for (const type of new Set(all.map((one) => one.type))) {
    const vetting = kinds.get(type)?.vetting
    if (vetting === undefined) continue
    const wanted = new Map<string, { readonly settings: object; readonly indexes: Array<number> }>()
    for (const [index, one] of all.entries()) {
      const settings = one.type === type ? vetting.of(one.fields) : undefined
      if (settings === undefined) continue
      const text = JSON.stringify(settings)
      const same = wanted.get(text)
      if (same === undefined) wanted.set(text, { settings, indexes: [index] })
      else same.indexes.push(index)
    }
    if (wanted.size === 0) continue
    const examined = yield* evaluator.evaluate({
      module: vetting.module,
      function: vetting.function,
      settings: [...wanted.values()].map(({ settings }) => settings),
      input: null
    })
    for (const [at, { indexes }] of [...wanted.values()].entries())
      for (const index of indexes) found[index] = examined[at] ?? []
  }
  return found
})
