/**
 * The process that reads an uploaded file of Uptime Kuma: it may only read files, has no secrets in its environment, and is
 * killed when it takes too long.
 */
import * as UploadPlan from "@kanmon/as-code/uptime-kuma/UploadPlan"
import type { Said } from "@kanmon/monitoring/imports"
import { load } from "@kanmon/core/PluginHost"
import { Cause, Effect, Exit } from "effect"
import { bundled } from "../plugins.gen.ts"

const say = (said: Said): void => {
  process.send?.(said, () => process.disconnect())
}

const exit = await Effect.runPromiseExit(
  Effect.flatMap(load(bundled), (kinds) => UploadPlan.plan(process.argv[2] ?? "", kinds))
)
if (Exit.isSuccess(exit)) say({ _tag: "Planned", plan: exit.value })
else {
  const failure = Cause.squash(exit.cause)
  say({
    _tag: "Refused",
    message:
      failure instanceof UploadPlan.Refused
        ? failure.message
        : "The file cannot be read: it is damaged, or not of a version of Uptime Kuma that is known here"
  })
}
