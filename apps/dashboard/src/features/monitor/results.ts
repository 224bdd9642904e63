/** Words and shapes of what one check found. */
import type { RegionStatus } from "@kanmon/domain/Status"
import { t, type Text } from "../../locales/text.ts"

export type Result = typeof RegionStatus.Type

const words: Readonly<Record<Result, Text>> = { up: "Up", degraded: "Degraded", down: "Down", unknown: "Unknown" }

const tones = { up: "up", degraded: "degraded", down: "down", unknown: "quiet" } as const

export const wordOfResult = (status: Result): string => t(words[status])

export const toneOfResult = (status: Result) => tones[status]
