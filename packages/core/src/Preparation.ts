/**
 * Makes a monitor's settings ready to run. A stranger's plugin may throw where it should answer, or answer with what is no
 * check: that costs its own monitors, and no others.
 */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import { Result } from "effect"
import { errorText } from "./CauseText.ts"
import type { Check, Prepared } from "./Check.ts"

/** The check, or why there is none. */
export const prepare = (
  checks: ReadonlyMap<string, Check>,
  { config, type }: Pick<MonitorSpec, "config" | "type">
): Result.Result<Prepared, string> => {
  const check = checks.get(type)
  if (check === undefined) return Result.fail(`no plugin for the type ${type}`)
  try {
    const prepared = check.prepare(config)
    return Result.isFailure(prepared) ? Result.fail(prepared.failure.message) : Result.succeed(plain(prepared.success))
  } catch (error) {
    return Result.fail(`its plugin cannot prepare it: ${errorText(error)}`)
  }
}

/** Reads what the plugin made once, so that nothing of it throws when it is read later. */
const plain = (prepared: Prepared): Prepared => {
  const { host, reaches, target } = prepared
  if (typeof host !== "string" || typeof target !== "string") throw new TypeError("its host and target must be text")
  return {
    host,
    target,
    ...(reaches === undefined ? {} : { reaches: () => prepared.reaches!() }),
    run: (attempt) => prepared.run(attempt)
  }
}
