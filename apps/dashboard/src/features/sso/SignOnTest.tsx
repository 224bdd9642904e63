/** Signs in at the identity provider to show every claim that it sends, without starting a session here. */
import { useState } from "react"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { useTestProvider } from "./writes.ts"

export const SignOnTest = ({ organizationId }: { readonly organizationId: string }) => {
  const { mutateAsync: test } = useTestProvider(organizationId)
  const { errors, isBusy, submit } = useSubmit()
  const [url, setUrl] = useState<string | undefined>(undefined)
  const start = () => {
    // Opened at once: browsers block windows that open after an answer.
    const tab = window.open("", "_blank")
    return submit(async () => {
      try {
        const { url } = await test()
        if (url === null) tab?.close()
        else if (tab === null) setUrl(url)
        else tab.location.replace(url)
      } catch (error) {
        tab?.close()
        throw error
      }
    })
  }
  return (
    <Section
      title={t("Test|noun")}
      actions={
        <Button onPress={() => void start()} isDisabled={isBusy}>
          {t("Test the sign-in")}
        </Button>
      }
    >
      <p className="text-sm text-soft">
        {t(
          "Opens the identity provider in a new tab. When you have signed in there, you see every claim that it sent and the role that it gives. The test starts no session."
        )}
      </p>
      {url !== undefined && (
        <Notice tone="maintenance">
          <a href={url} target="_blank" rel="noreferrer">
            {t("Open the test")}
          </a>
        </Notice>
      )}
      <FormProblem errors={errors} />
    </Section>
  )
}
