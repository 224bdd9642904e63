/** A field for a number, with its unit. */
import {
  Group,
  Input,
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaNumberFieldProps
} from "react-aria-components"
import { classes, inputClass } from "./classes.ts"
import { fieldClass, FieldHelp, FieldLabel, FieldProblem, type FieldText } from "./Field.tsx"

interface NumberFieldProps
  extends Omit<AriaNumberFieldProps, "className" | "style" | "children" | "isInvalid">, FieldText {
  readonly unit?: string | undefined
  readonly optional?: boolean
}

export const NumberField = ({ error, help, label, optional, unit, ...props }: NumberFieldProps) => (
  <AriaNumberField
    formatOptions={{ useGrouping: false, maximumFractionDigits: 6 }}
    {...props}
    isInvalid={error !== undefined}
    className={fieldClass}
  >
    <FieldLabel optional={optional === true}>{label}</FieldLabel>
    <Group className="flex items-center gap-2">
      <Input className={classes(inputClass, "max-w-36")} />
      {unit !== undefined && <span className="text-sm text-soft">{unit}</span>}
    </Group>
    {help !== undefined && <FieldHelp>{help}</FieldHelp>}
    <FieldProblem>{error}</FieldProblem>
  </AriaNumberField>
)
