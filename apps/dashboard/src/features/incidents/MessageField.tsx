/** The public text of an update, with texts to begin with and a preview. */
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Menu } from "../../ui/Overlay.tsx"
import { Preview } from "./PublicText.tsx"
import { type Template, withTemplate } from "./templates.ts"

const maxLength = 10_000

export const MessageField = ({
  error,
  label,
  onChange,
  optional = false,
  step,
  templates,
  title,
  value
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly error?: string | undefined
  readonly optional?: boolean
  /** The word before the text on the status page. */
  readonly step: string
  readonly title?: string
  readonly templates: ReadonlyArray<Template>
}) => (
  <div className="grid min-w-0 gap-3 lg:grid-cols-2">
    <div className="flex min-w-0 flex-col gap-2">
      <TextField
        label={label}
        value={value}
        onChange={onChange}
        error={error}
        optional={optional}
        rows={5}
        maxLength={maxLength}
        help={t("Plain text. Addresses become links; line breaks are kept.")}
      />
      <div>
        <Menu
          label={t("Insert a text")}
          button={
            <Button>
              <Icon name="plus" />
              {t("Insert a text")}
            </Button>
          }
          groups={[
            templates.map(({ id, label, text }) => ({
              id,
              label,
              onAction: () => onChange(withTemplate(value, text))
            }))
          ]}
        />
      </div>
    </div>
    <Preview step={step} text={value} {...(title === undefined ? {} : { title })} />
  </div>
)
