/** Offers to bring along what another product or a file describes already. */
import { useState } from "react"
import { t } from "../../locales/text.ts"
import { RouteLink } from "../../ui/Button.tsx"
import { Segments } from "../../ui/Choice.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Section } from "../../ui/Section.tsx"

const commands = {
  kuma: "npm run kanmon -- import uptime-kuma kuma-data -o kanmon.yaml --secrets-file kanmon.env",
  file: "npm run kanmon -- apply -f kanmon.yaml --dry-run"
} as const

type Source = keyof typeof commands

const isSource = (id: string): id is Source => id in commands

export const Imports = () => {
  const [source, setSource] = useState<Source>("kuma")
  return (
    <Section title={t("Import instead")}>
      <div>
        <Segments
          label={t("Import from")}
          options={[
            { id: "kuma", label: "Uptime Kuma" },
            { id: "file", label: t("A file") }
          ]}
          value={source}
          onChange={(id) => isSource(id) && setSource(id)}
        />
      </div>
      {source === "kuma" && (
        <div>
          <RouteLink kind="plain" to="/import">
            {t("Import from Uptime Kuma")}
          </RouteLink>
        </div>
      )}
      <p className="text-sm text-soft">
        {source === "kuma"
          ? t("Or on the server: this reads kuma.db or a JSON backup and writes a file to review.")
          : t("Shows what a file with monitors, channels and rules would change. Without --dry-run it is done.")}
      </p>
      <code className="rounded-lg bg-ink/6 px-3 py-2 text-small wrap-anywhere">{commands[source]}</code>
      <div>
        <CopyButton text={commands[source]} />
      </div>
    </Section>
  )
}
