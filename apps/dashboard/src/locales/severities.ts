/** The severities of alerts in words. */
import type { AlertRule } from "@kanmon/domain/AlertRule"
import { t, type Text } from "./text.ts"

export type Severity = (typeof AlertRule.Encoded)["severity"]

const words: Readonly<Record<Severity, Text>> = { critical: "Critical", warning: "Warning", info: "Info" }

/** From the most urgent on. */
export const severities: ReadonlyArray<Severity> = ["critical", "warning", "info"]

export const severityWord = (severity: Severity): string => t(words[severity])
