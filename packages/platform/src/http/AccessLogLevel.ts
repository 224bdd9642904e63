import { Context, type LogLevel } from "effect"

/** The level of access log lines. Lower on a terminal, where they would hide important messages. */
export const AccessLogLevel = Context.Reference<LogLevel.Severity>("@kanmon/platform/http/AccessLogLevel", {
  defaultValue: () => "Info"
})
