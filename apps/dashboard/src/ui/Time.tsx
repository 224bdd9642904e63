/** Moments, with UTC on hover. */
import { useNow } from "../browser/now.ts"
import { duration, moment, momentRange, shortDuration, utc } from "../locales/time.ts"
import { t } from "../locales/text.ts"

/** How long ago, in words. */
export const Ago = ({ at }: { readonly at: string }) => {
  const now = useNow()
  const seconds = (now - Date.parse(at)) / 1000
  return (
    <time dateTime={at} title={`${moment(at)} · ${utc(at)}`}>
      {seconds < 5 ? t("just now") : t("{duration} ago", { duration: duration(seconds) })}
    </time>
  )
}

export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={utc(at)}>
    {moment(at)}
  </time>
)

/** From one moment to another. */
export const Range = ({ from, to }: { readonly from: string; readonly to: string }) => (
  <span title={`${utc(from)} – ${utc(to)}`}>{momentRange(from, to)}</span>
)

/** How long ago in one unit, where there is little room. */
export const ShortAgo = ({ at }: { readonly at: number }) => {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={`${moment(at)} · ${utc(at)}`}>
      {shortDuration((now - at) / 1000)}
    </time>
  )
}
