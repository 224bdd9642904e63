/** Text fields with their label, help and error. */
import { type ReactNode, useState } from "react"
import {
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps
} from "react-aria-components"
import { t } from "../locales/text.ts"
import { Button } from "./Button.tsx"
import { classes, inputClass } from "./classes.ts"

export interface FieldText {
  readonly label: string
  readonly help?: ReactNode
  /** The error of the value; shown below it. */
  readonly error?: string | undefined
}

export const FieldLabel = ({ children, optional }: { readonly children: ReactNode; readonly optional?: boolean }) => (
  <Label className="flex items-baseline justify-between gap-2 text-sm font-medium">
    {children}
    {optional === true && <span className="shrink-0 text-xs font-normal text-soft">{t("Optional")}</span>}
  </Label>
)

export const FieldHelp = ({ children }: { readonly children: ReactNode }) => (
  <Text slot="description" className="text-small leading-snug text-soft">
    {children}
  </Text>
)

export const FieldProblem = ({ children }: { readonly children: ReactNode }) => (
  <FieldError className="text-small leading-snug font-medium text-down">{children}</FieldError>
)

export const fieldClass = "flex min-w-0 flex-col gap-1"

export interface TextFieldProps
  extends Omit<AriaTextFieldProps, "className" | "style" | "children" | "isInvalid">, FieldText {
  readonly placeholder?: string
  readonly optional?: boolean
  /** Several lines of this height. */
  readonly rows?: number
  readonly code?: boolean
  /** The error takes the place of the help, for answers that come while the reader goes on: nothing below moves. */
  readonly isErrorInPlace?: boolean
}

export const TextField = ({
  code,
  error,
  help,
  isErrorInPlace = false,
  label,
  optional,
  placeholder,
  rows,
  ...props
}: TextFieldProps) => {
  const look = classes(inputClass, code === true && "font-mono text-sm")
  return (
    <AriaTextField {...props} isInvalid={error !== undefined} className={fieldClass}>
      <FieldLabel optional={optional === true}>{label}</FieldLabel>
      {rows === undefined ? (
        <Input className={look} placeholder={placeholder} />
      ) : (
        <TextArea className={classes(look, "py-2")} rows={rows} placeholder={placeholder} />
      )}
      {help !== undefined && !(isErrorInPlace && error !== undefined) && <FieldHelp>{help}</FieldHelp>}
      <FieldProblem>{error}</FieldProblem>
    </AriaTextField>
  )
}

/** A password, which can be shown. */
export const PasswordField = ({ error, help, label, ...props }: TextFieldProps) => {
  const [isShown, show] = useState(false)
  return (
    <AriaTextField
      {...props}
      type={isShown ? "text" : "password"}
      isInvalid={error !== undefined}
      className={fieldClass}
    >
      <FieldLabel>{label}</FieldLabel>
      <div className="relative">
        <Input className={classes(inputClass, "pr-20")} />
        <Button
          kind="quiet"
          className="absolute inset-y-0 end-0 my-auto h-7 min-h-7! px-2 text-xs text-soft me-1"
          aria-pressed={isShown}
          aria-label={isShown ? t("Hide the password") : t("Show the password")}
          onPress={() => show(!isShown)}
        >
          {isShown ? t("Hide") : t("Show")}
        </Button>
      </div>
      {help !== undefined && <FieldHelp>{help}</FieldHelp>}
      <FieldProblem>{error}</FieldProblem>
    </AriaTextField>
  )
}
