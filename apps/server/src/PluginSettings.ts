/* oxlint-disable node/no-process-env -- the plugins declare the names, so this cannot be read with the other settings */
/** The operator's settings of channel kinds and auth plugins: environment variables by the names that their plugins declare. */
import type { ConfigSchema } from "@kanmon/core/ConfigSchema"
import { fieldErrors } from "@kanmon/domain/FieldErrors"
import { Effect, Result, Schema } from "effect"
import { BadSetting } from "./Settings.ts"

/** Reads them, by the type of the channel or the name of the auth. Fails with the name of an invalid one. */
export const read = (
  declared: Iterable<readonly [string, { readonly settings: ConfigSchema }]>
): Effect.Effect<ReadonlyMap<string, object>, BadSetting> =>
  Effect.forEach(declared, ([type, { settings }]) => {
    const found = Object.fromEntries(
      Object.keys(settings.fields).flatMap((name) => {
        const value = process.env[name]
        return value === undefined || value === "" ? [] : [[name, value]]
      })
    )
    const decoded = Schema.decodeUnknownResult(settings)(found)
    if (Result.isSuccess(decoded)) return Effect.succeed([type, found] as const)
    const row = fieldErrors(decoded.failure.issue)[0]
    return Effect.fail(new BadSetting({ setting: row?.path ?? type, problem: row?.message ?? "The value is invalid" }))
  }).pipe(Effect.map((entries) => new Map(entries)))
