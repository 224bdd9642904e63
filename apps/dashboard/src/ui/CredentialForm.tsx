/** Credentials, such as API keys and tokens: the form for a new one, and a row of a list. */
import { type ReactNode, useState } from "react"
import { t } from "../locales/text.ts"
import { IconButton } from "./Button.tsx"
import { DialogForm } from "./DialogForm.tsx"
import { type Credential, CredentialFacts, ExpiredMark, ExpirySelect, expiresAtOf } from "./Expiry.tsx"
import { TextField } from "./Field.tsx"
import { Icon } from "./Icon.tsx"

/** The fields of every kind. */
export interface NewCredential {
  readonly name: string
  readonly expiresAt: string | null
}

export const CredentialForm = ({
  action,
  atLeast,
  children,
  errors,
  first,
  help,
  isBusy,
  onClose,
  onCreate
}: {
  readonly action: string
  /** Explains the name. */
  readonly help: string
  /** The end that is chosen at first. */
  readonly first: string
  /** The fewest days that can be chosen. */
  readonly atLeast?: number
  readonly errors: {
    readonly fields: Readonly<Record<string, string>>
    readonly general: string | undefined
    readonly code?: string
  }
  readonly isBusy: boolean
  readonly onClose: () => void
  readonly onCreate: (made: NewCredential) => unknown
  /** Further fields. */
  readonly children?: ReactNode
}) => {
  const [name, setName] = useState("")
  const [end, setEnd] = useState(first)
  return (
    <DialogForm
      action={action}
      errors={errors}
      isBusy={isBusy}
      isReady={name.trim() !== ""}
      onClose={onClose}
      onSend={() => onCreate({ name: name.trim(), expiresAt: expiresAtOf(end) })}
    >
      <TextField
        label={t("Name")}
        help={help}
        value={name}
        onChange={setName}
        error={errors.fields["name"]}
        isRequired
        autoFocus
        autoComplete="off"
      />
      {children}
      <ExpirySelect
        {...(atLeast === undefined ? {} : { atLeast })}
        value={end}
        onChange={setEnd}
        error={errors.fields["expiresAt"]}
      />
    </DialogForm>
  )
}

export const CredentialRow = ({
  children,
  credential,
  onDelete
}: {
  readonly credential: Credential & { readonly name: string }
  readonly onDelete: () => void
  /** Shown behind the name. */
  readonly children?: ReactNode
}) => (
  <>
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <bdi className="min-w-0 font-medium break-words">{credential.name}</bdi>
        {children}
        <ExpiredMark of={credential} />
      </p>
      <CredentialFacts of={credential} />
    </div>
    <IconButton aria-label={t("Delete {name}", { name: credential.name })} onPress={onDelete}>
      <Icon name="trash" />
    </IconButton>
  </>
)
