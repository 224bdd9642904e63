/** Turns the errors of a feature into problems. */
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import { invalid, Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"

interface Tagged {
  readonly _tag: string
}

/** The problem that each error becomes, by the error's tag. */
type Table = Readonly<Record<string, (error: never) => Problem>>

/** The problems that errors become. Problems, and errors that the table does not name, stay what they are. */
type Answered<E, T extends Table> = E extends Problem
  ? E
  : E extends InvalidFields
    ? Problem<"validation_failed">
    : E extends { readonly _tag: infer Tag extends keyof T }
      ? ReturnType<T[Tag]>
      : E

/**
 * Answers each error as the table says, and invalid fields with 422. The result has only the codes of errors that can occur,
 * so that a handler cannot fail with a code that its endpoint does not declare.
 */
export function asProblem<const T extends Table>(
  table: T
): <A, E extends Problem | InvalidFields | Tagged, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, Answered<E, T>, R>
export function asProblem(table: Readonly<Record<string, (error: Tagged) => Problem>>) {
  return (effect: Effect.Effect<unknown, Problem | InvalidFields | Tagged>) =>
    Effect.catch(effect, (error) => {
      if (error instanceof Problem) return Effect.fail(error)
      if (isInvalid(error)) return Effect.fail(invalid(error.errors))
      const answer = table[error._tag]
      return Effect.fail(answer === undefined ? error : answer(error))
    })
}

const isInvalid = (error: Tagged): error is InvalidFields => error._tag === "InvalidFields"
