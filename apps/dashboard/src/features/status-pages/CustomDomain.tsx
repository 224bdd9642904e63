/** The custom domain of a page: how far it is set up, and the DNS records that it needs. */
import { t } from "../../locales/text.ts"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Shape } from "../../ui/Status.tsx"
import type { StatusPage } from "./queries.ts"

const tones = {
  none: "quiet",
  pending_dns: "degraded",
  provisioning: "maintenance",
  active: "up",
  failed: "down"
} as const

const wordOf = (status: StatusPage["customDomainStatus"]): string => {
  switch (status) {
    case "none":
      return ""
    case "pending_dns":
      return t("Waiting for the DNS records")
    case "provisioning":
      return t("Getting a certificate")
    case "active":
      return t("The domain works")
    case "failed":
      return t("The domain does not work")
  }
}

export const DomainState = ({ page: { customDomainError, customDomainStatus } }: { readonly page: StatusPage }) =>
  customDomainStatus === "none" ? null : (
    <p className="flex items-start gap-1.5 text-sm" role="status">
      <Shape tone={tones[customDomainStatus]} className="mt-0.5" />
      <span className="min-w-0">
        {wordOf(customDomainStatus)}
        {customDomainError !== null && <span className="text-soft"> · {customDomainError}</span>}
      </span>
    </p>
  )

export const DomainRecords = ({ page }: { readonly page: StatusPage }) =>
  page.customDomain === null ? null : (
    <div className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-4">
      <DomainState page={page} />
      {page.customDomainRecords.length > 0 && (
        <>
          <p className="text-sm text-soft">{t("Create these records where the DNS of the domain is managed:")}</p>
          <ul className="flex flex-col gap-3">
            {page.customDomainRecords.map(({ name, purpose, type, value }) => (
              <li key={`${type} ${name}`} className="flex flex-col gap-1 rounded-lg bg-ink/5 px-3 py-2">
                <p className="text-small text-soft">
                  <strong className="text-ink">{type}</strong> · {purpose}
                </p>
                {[name, value].map((text, index) => (
                  <div key={text} className="flex items-center gap-2">
                    <span className="w-12 shrink-0 text-small text-soft">{index === 0 ? t("Name") : t("Value")}</span>
                    <code className="min-w-0 flex-1 text-small break-all">{text}</code>
                    <CopyButton text={text} what={text} />
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
