/**
 * Prepares a monitor's settings for running. A third-party plugin may throw or return something else than a check; that
 * affects only its own monitors.
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

/** Reads the plugin's values once, so that nothing throws later. */
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
