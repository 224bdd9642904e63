/** The certificate of a target and the registration of its domain. */
import type { CertificateSummary } from "@kanmon/domain/Certificate"
import type { DomainSummary } from "@kanmon/protocol/MonitorBody"
import type { ReactNode } from "react"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { reasonText } from "../../locales/reasons.ts"
import { t } from "../../locales/text.ts"
import { Fact } from "../../ui/Fact.tsx"
import { Section } from "../../ui/Section.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"

type Summary = typeof CertificateSummary.Encoded
type Domain = typeof DomainSummary.Encoded

/** Types that find no certificate have no such field. */
const isSummary = (value: unknown): value is Summary => typeof value === "object" && value !== null && "valid" in value
const isDomain = (value: unknown): value is Domain =>
  typeof value === "object" && value !== null && "registrar" in value

const daysLeft = (days: number | null): string =>
  days === null
    ? "–"
    : days < 0
      ? t("expired {count, plural, one {# day} other {# days}} ago", { count: -days })
      : t("{count, plural, one {# day} other {# days}} left", { count: days })

const soon = (days: number | null, threshold: unknown): boolean =>
  days !== null && typeof threshold === "number" && days <= threshold

const Headline = ({ tone, children }: { readonly tone: "up" | "degraded" | "down"; readonly children: ReactNode }) => (
  <p className="flex items-start gap-2 text-sm font-medium">
    <Shape tone={tone} className="mt-0.5" />
    <span>{children}</span>
  </p>
)

export const Certificate = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const certificate = monitor["certificate"]
  if (!isSummary(certificate)) return null
  const { daysLeft: left, explanation, issuer, problem, subject, valid, validFrom, validTo } = certificate
  return (
    <Section title={t("Certificate")}>
      <Headline tone={!valid ? "down" : soon(left, monitor["sslExpiryThreshold"]) ? "degraded" : "up"}>
        {problem === null ? t("Valid") : reasonText({ message: problem, explanation })} · {daysLeft(left)}
      </Headline>
      <dl className="flex flex-col gap-1 text-sm">
        <Fact label={t("Issued to")}>
          <bdi>{subject ?? "–"}</bdi>
        </Fact>
        <Fact label={t("Issued by")}>
          <bdi>{issuer ?? "–"}</bdi>
        </Fact>
        {validFrom !== null && (
          <Fact label={t("Valid from")}>
            <Moment at={validFrom} />
          </Fact>
        )}
        {validTo !== null && (
          <Fact label={t("Valid until")}>
            <Moment at={validTo} />
          </Fact>
        )}
      </dl>
    </Section>
  )
}

export const DomainCard = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const domain = monitor["domain"]
  if (!isDomain(domain)) return null
  const { checkedAt, daysLeft: left, expiresAt, name, problem, registrar } = domain
  const tone =
    left !== null && left < 0
      ? "down"
      : problem !== null || soon(left, monitor["domainExpiryThreshold"])
        ? "degraded"
        : "up"
  return (
    <Section title={t("Domain")}>
      <Headline tone={tone}>
        <bdi>{name}</bdi> · {problem ?? daysLeft(left)}
      </Headline>
      <dl className="flex flex-col gap-1 text-sm">
        {registrar !== null && (
          <Fact label={t("Registrar")}>
            <bdi>{registrar}</bdi>
          </Fact>
        )}
        {expiresAt !== null && (
          <Fact label={t("Registered until")}>
            <Moment at={expiresAt} />
          </Fact>
        )}
        {checkedAt !== null && (
          <Fact label={t("Registry asked")}>
            <Ago at={checkedAt} />
          </Fact>
        )}
      </dl>
    </Section>
  )
}
