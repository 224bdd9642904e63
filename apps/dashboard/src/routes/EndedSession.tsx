/** Asks for the password over the page, so that nothing typed is lost. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { enterAgain } from "../api/entrance.ts"
import { sessionRenewed } from "../api/request.ts"
import { sessionQuery } from "../api/session.ts"
import { SignInForm } from "../features/account/SignInForm.tsx"
import { t } from "../locales/text.ts"
import { Dialog } from "../ui/Overlay.tsx"

const EndedSession = ({ onSignedIn }: { readonly onSignedIn: () => void }) => {
  const client = useQueryClient()
  const { data } = useQuery(sessionQuery)
  return (
    <Dialog title={t("Your session has ended")} isOpen dismissable={false}>
      <p className="text-soft">{t("Sign in again to continue where you were. Nothing you typed is lost.")}</p>
      <SignInForm
        {...(data == null ? {} : { email: data.user.email })}
        onSignedIn={async () => {
          onSignedIn()
          sessionRenewed()
          await enterAgain(client)
        }}
      />
    </Dialog>
  )
}

export default EndedSession
