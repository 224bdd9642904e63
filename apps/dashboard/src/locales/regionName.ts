/** Regions in words. */
import { t } from "./text.ts"

/** Signals of jobs are recorded as results of this region. */
const signals = "heartbeat-inbox"

/** A region as people call it. */
export const regionName = (region: string): string => (region === signals ? t("Signal") : region)
