/**
 * Makes a monitor's settings ready to run. A stranger's plugin may throw where it should answer: that costs its own monitors,
 * and no others.
 */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import { Result } from "effect"
import type { Check, Prepared } from "./Check.ts"

/** The check, or why it cannot be had. */
export const prepare = (
  checks: ReadonlyMap<string, Check>,
  { config, type }: Pick<MonitorSpec, "config" | "type">
): Result.Result<Prepared, string> => {
  const check = checks.get(type)
  if (check === undefined) return Result.fail(`no plugin for the type ${type}`)
  try {
    return Result.mapError(check.prepare(config), ({ message }) => message)
  } catch (error) {
    return Result.fail(`its plugin cannot prepare it: ${String(error)}`)
  }
}
