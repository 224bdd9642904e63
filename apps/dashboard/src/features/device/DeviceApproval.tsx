/** Approves the sign-in of a program, such as `kanmon login`, after its code was compared. */
import { useQuery } from "@tanstack/react-query"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { ApiError } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import type { Account } from "../../api/session.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Ago } from "../../ui/Time.tsx"
import { useApproveDevice, useDenyDevice } from "./writes.ts"

interface DeviceRequest {
  readonly userCode: string
  readonly clientId: string
  readonly name: string | null
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly createdAt: string
}

const CodeForm = ({ isUnknown, onCode }: { readonly isUnknown: boolean; readonly onCode: (code: string) => void }) => {
  const [code, setCode] = useState("")
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    onCode(code.trim())
  }
  return (
    <Form onSubmit={send} validationBehavior="aria" className="flex flex-col gap-4">
      {isUnknown && (
        <Notice>
          {t("No program waits with this code. It may be mistyped, used already or older than ten minutes.")}
        </Notice>
      )}
      <TextField
        label={t("Code that the program shows")}
        value={code}
        onChange={setCode}
        autoComplete="off"
        spellCheck="false"
        maxLength={40}
        isRequired
        autoFocus
        code
      />
      <Button kind="primary" type="submit" isDisabled={code.trim() === ""} className="min-h-10">
        {t("Continue")}
      </Button>
    </Form>
  )
}

const Decision = ({
  device: { clientId, createdAt, ipAddress, name, userAgent, userCode },
  onDone,
  user
}: {
  readonly device: DeviceRequest
  readonly user: Account
  readonly onDone: (result: "approved" | "denied") => void
}) => {
  const { errors, isBusy, submit } = useSubmit()
  const { mutateAsync: approve } = useApproveDevice()
  const { mutateAsync: deny } = useDenyDevice()
  const answer = (result: "approved" | "denied") =>
    submit(async () => {
      await (result === "approved" ? approve : deny)(userCode)
      onDone(result)
    })
  const rows = [
    [t("Program"), name ?? clientId],
    [t("Address"), ipAddress],
    [t("Calls itself"), userAgent],
    [t("Account"), user.email]
  ] as const
  return (
    <div className="flex flex-col gap-4">
      <p>{t("A program asks to sign in as you. Allow it only if you have just started it, and it shows this code:")}</p>
      <p className="rounded-xl bg-ink/6 py-3 text-center font-mono text-xl tracking-widest">{userCode}</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
        {rows.map(
          ([label, value]) =>
            value !== null &&
            value !== "" && (
              <div key={label} className="contents">
                <dt className="text-soft">{label}</dt>
                <dd>
                  <bdi className="break-words">{value}</bdi>
                </dd>
              </div>
            )
        )}
        <dt className="text-soft">{t("Asked")}</dt>
        <dd>
          <Ago at={createdAt} />
        </dd>
      </dl>
      <p className="text-sm text-soft">
        {t("It may then do what you may do, until you sign it out on the page of your account.")}
      </p>
      <FormProblem errors={errors} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" className="min-h-10 flex-1" isDisabled={isBusy} onPress={() => void answer("approved")}>
          {t("Allow")}
        </Button>
        <Button className="min-h-10 flex-1" isDisabled={isBusy} onPress={() => void answer("denied")}>
          {t("Refuse")}
        </Button>
      </div>
    </div>
  )
}

export const DeviceApproval = ({
  code,
  onCode,
  user
}: {
  readonly user: Account
  readonly code: string | undefined
  readonly onCode: (code: string) => void
}) => {
  const [result, setResult] = useState<"approved" | "denied" | undefined>(undefined)
  const { data, error } = useQuery({
    queryKey: ["device", code],
    queryFn: ({ signal }) => request("GET /auth/device", { query: { user_code: code ?? "" }, signal }),
    enabled: code !== undefined && result === undefined,
    retry: false
  })
  if (result === "approved")
    return <Notice tone="up">{t("The program is signed in. You can close this page and go back to it.")}</Notice>
  if (result === "denied") return <Notice tone="degraded">{t("The program was refused.")}</Notice>
  if (data !== undefined) return <Decision device={data} user={user} onDone={setResult} />
  const isUnknown = error instanceof ApiError && error.status === 404
  return (
    <>
      {error !== null && !isUnknown && <Notice>{error.message}</Notice>}
      {(code === undefined || error !== null) && <CodeForm isUnknown={isUnknown} onCode={onCode} />}
    </>
  )
}
