/** A field that finds one of many options while its name is typed. */
import { Button, ComboBox as AriaComboBox, Input, ListBox, ListBoxItem, Popover } from "react-aria-components"
import { useMemo, useState } from "react"
import { classes, inputClass, itemClass, popoverClass } from "./classes.ts"
import type { Option } from "./Choice.tsx"
import { fieldClass, FieldHelp, FieldLabel, type FieldText } from "./Field.tsx"
import { Icon } from "./Icon.tsx"

/** More options than this are found by typing more of the name. */
const maxShown = 50

export const ComboBox = ({
  help,
  label,
  onChange,
  options,
  placeholder,
  value
}: FieldText & {
  readonly options: ReadonlyArray<Option>
  readonly value: string | null
  readonly onChange: (id: string | null) => void
  readonly placeholder?: string
}) => {
  const [text, setText] = useState(() => options.find(({ id }) => id === value)?.label ?? "")
  const found = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    const isChosen = options.some(({ id, label }) => id === value && label === text)
    return (
      wanted === "" || isChosen ? options : options.filter(({ label }) => label.toLowerCase().includes(wanted))
    ).slice(0, maxShown)
  }, [options, text, value])
  return (
    <AriaComboBox
      className={fieldClass}
      items={found}
      selectedKey={value}
      inputValue={text}
      onInputChange={setText}
      onSelectionChange={(key) => {
        const chosen = options.find(({ id }) => id === key)
        onChange(chosen?.id ?? null)
        if (chosen !== undefined) setText(chosen.label)
      }}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <FieldLabel>{label}</FieldLabel>
      <div className="relative">
        <Input className={classes(inputClass, "pe-10")} placeholder={placeholder} />
        <Button className="absolute inset-y-0 end-0 flex w-10 items-center justify-center text-soft">
          <Icon name="chevron" />
        </Button>
      </div>
      {help !== undefined && <FieldHelp>{help}</FieldHelp>}
      <Popover className={classes(popoverClass, "max-h-80 w-(--trigger-width)")}>
        <ListBox<Option> className="outline-none">
          {({ help, id, label }) => (
            <ListBoxItem id={id} textValue={label} className={itemClass}>
              <span className="truncate">{label}</span>
              {help !== undefined && <span className="text-small font-normal text-soft">{help}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  )
}
