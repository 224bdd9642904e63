/** The frame of the pages without a session. */
import type { ReactNode } from "react"
import { Main } from "../api/Main.tsx"
import { locales, choose, locale, type Locale, t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Mark } from "../ui/Icon.tsx"
import { Menu } from "../ui/Overlay.tsx"

export const Frame = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="flex min-h-dvh flex-col items-center px-4 py-10 sm:justify-center">
    <title>{`${title} · Kanmon`}</title>
    <Main className="flex w-full max-w-sm flex-col gap-6">
      <div className="flex flex-col gap-4">
        <Mark className="size-10" />
        <h1>{title}</h1>
      </div>
      {children}
    </Main>
    <footer className="mt-10 text-sm text-soft">
      <Menu
        label={t("Language")}
        button={
          <Button kind="quiet" className="text-soft">
            {locales[locale()]}
          </Button>
        }
        groups={[
          Object.entries(locales).map(([id, label]) => ({
            id,
            label,
            checked: id === locale(),
            onAction: () => choose(id as Locale)
          }))
        ]}
      />
    </footer>
  </div>
)
