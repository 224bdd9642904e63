/** Asks for the code that the recipient of a channel got; nothing else is sent there until it is entered. */
import { useQueryClient } from "@tanstack/react-query"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { formErrors } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { type Channel, channelsQuery } from "./queries.ts"

export const Confirmation = ({ channel }: { readonly channel: Channel }) => {
  const { project } = useProjectData()
  const client = useQueryClient()
  const [code, setCode] = useState("")
  const [error, setError] = useState<string | undefined>(undefined)
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)

  const attempt = async (code?: string) => {
    setBusy(true)
    setError(undefined)
    setSent(false)
    try {
      const input = { params: { channelId: channel.id }, project: project.headers }
      if (code !== undefined)
        await request("POST /notification-channels/:channelId/confirm", { ...input, body: { code } })
      else {
        await request("POST /notification-channels/:channelId/confirmation", input)
        setSent(true)
      }
      await client.invalidateQueries({ queryKey: channelsQuery(project).queryKey })
    } catch (error) {
      const { fields, general } = formErrors(error, ["code"])
      setError(fields["code"] ?? general)
    }
    setBusy(false)
  }
  const confirm = (event: SyntheticEvent) => {
    event.preventDefault()
    void attempt(code.trim())
  }

  return (
    <Form onSubmit={confirm} validationBehavior="aria" className="flex flex-wrap items-start gap-2">
      <TextField
        label={t("Confirmation code")}
        help={
          isSent
            ? t("A new code is on its way.")
            : t("The recipient got six digits. Until they are entered, nothing else is sent there.")
        }
        error={error}
        value={code}
        onChange={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
      />
      <div className="flex gap-2 sm:mt-6">
        <Button kind="primary" type="submit" isDisabled={isBusy || code.trim() === ""}>
          {t("Confirm")}
        </Button>
        <Button onPress={() => void attempt()} isDisabled={isBusy}>
          {t("Send a new code")}
        </Button>
      </div>
    </Form>
  )
}
