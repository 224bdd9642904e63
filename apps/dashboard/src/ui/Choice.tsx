/** Controls that choose: select, switch, check box, and a row of exclusive buttons. */
import type { ReactNode } from "react"
import {
  Button,
  Checkbox as AriaCheckbox,
  type CheckboxProps,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Switch as AriaSwitch,
  type SwitchProps,
  ToggleButton,
  ToggleButtonGroup
} from "react-aria-components"
import { classes, inputClass, itemClass, popoverClass } from "./classes.ts"
import { fieldClass, FieldHelp, FieldLabel, FieldProblem, type FieldText } from "./Field.tsx"
import { Icon } from "./Icon.tsx"

export interface Option<Id extends string = string> {
  readonly id: Id
  readonly label: string
  readonly help?: string | undefined
}

interface SelectProps<Id extends string> extends FieldText {
  readonly name?: string
  readonly options: ReadonlyArray<Option<Id>>
  readonly value: string
  readonly onChange: (id: Id) => void
  readonly isDisabled?: boolean
  readonly optional?: boolean
  /** Shows the label to screen readers alone, because text beside the field explains it. */
  readonly isLabelHidden?: boolean
}

export const Select = <Id extends string>({
  error,
  help,
  isLabelHidden = false,
  label,
  onChange,
  optional,
  options,
  value,
  ...props
}: SelectProps<Id>) => (
  <AriaSelect
    {...props}
    {...(isLabelHidden ? { "aria-label": label } : {})}
    selectedKey={value}
    onSelectionChange={(key) => {
      const chosen = options.find(({ id }) => id === key)
      if (chosen !== undefined) onChange(chosen.id)
    }}
    isInvalid={error !== undefined}
    className={fieldClass}
  >
    {!isLabelHidden && <FieldLabel optional={optional === true}>{label}</FieldLabel>}
    <Button className={classes(inputClass, "flex items-center justify-between gap-2 text-start")}>
      <SelectValue className="truncate">{({ selectedText }) => selectedText}</SelectValue>
      <Icon name="chevron" className="shrink-0 text-soft" />
    </Button>
    {help !== undefined && <FieldHelp>{help}</FieldHelp>}
    <FieldProblem>{error}</FieldProblem>
    <Popover className={classes(popoverClass, "min-w-(--trigger-width) max-w-[min(30rem,calc(100vw-1rem))]")}>
      <ListBox items={options} className="outline-none">
        {({ help, id, label }) => (
          <ListBoxItem id={id} textValue={label} className={itemClass}>
            <span>{label}</span>
            {help !== undefined && <span className="text-small font-normal text-soft">{help}</span>}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  </AriaSelect>
)

export const Switch = ({
  children,
  help,
  ...props
}: Omit<SwitchProps, "className" | "style" | "children"> & {
  readonly children: ReactNode
  readonly help?: ReactNode
}) => (
  <div className="flex flex-col gap-0.5">
    <AriaSwitch
      {...props}
      className="group flex min-h-9 pointer-coarse:min-h-11 w-fit cursor-default items-center gap-2.5 text-sm font-medium data-disabled:opacity-60"
    >
      <span className="flex h-5 w-9 shrink-0 rounded-full bg-quiet p-0.5 transition-colors group-selected:bg-accent group-keyfocus:outline-2 group-keyfocus:outline-offset-2 group-keyfocus:outline-accent">
        <span className="size-4 rounded-full bg-surface transition-transform group-selected:translate-x-4 rtl:group-selected:-translate-x-4" />
      </span>
      {children}
    </AriaSwitch>
    {help !== undefined && <p className="text-small leading-snug text-soft">{help}</p>}
  </div>
)

export const Checkbox = ({
  children,
  ...props
}: Omit<CheckboxProps, "className" | "style" | "children"> & {
  readonly children?: ReactNode
}) => (
  <AriaCheckbox
    {...props}
    className="group flex min-h-9 pointer-coarse:min-h-11 w-fit cursor-default items-center gap-2.5 text-sm data-disabled:opacity-60"
  >
    <span className="grid size-4.5 shrink-0 place-items-center rounded-sm border border-faint bg-surface text-surface group-selected:border-accent group-selected:bg-accent group-mixed:border-accent group-mixed:bg-accent group-keyfocus:outline-2 group-keyfocus:outline-offset-2 group-keyfocus:outline-accent">
      <Icon
        name={props.isIndeterminate === true ? "minus" : "check"}
        className="hidden size-3.5 group-selected:block group-mixed:block"
      />
    </span>
    {children}
  </AriaCheckbox>
)

/** A few exclusive options side by side; `help` explains an option with a short label. */
export const Segments = ({
  label,
  onChange,
  options,
  value
}: {
  readonly label: string
  readonly options: ReadonlyArray<Option>
  readonly value: string
  readonly onChange: (id: string) => void
}) => (
  <ToggleButtonGroup
    aria-label={label}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[value]}
    onSelectionChange={(keys) => {
      for (const key of keys) onChange(String(key))
    }}
    className="inline-flex max-w-full flex-wrap self-start rounded-lg border border-line bg-surface p-0.5"
  >
    {options.map(({ help, id, label }) => (
      <ToggleButton
        key={id}
        id={id}
        {...(help === undefined ? {} : { "aria-label": help })}
        className="min-h-8 pointer-coarse:min-h-11 pointer-coarse:min-w-11 cursor-default rounded-lg px-2.5 text-small whitespace-nowrap text-soft hover:text-ink selected:bg-ink/8 selected:font-medium selected:text-ink"
      >
        {label}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
)
