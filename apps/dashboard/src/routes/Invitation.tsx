/** `/invitation`: where the link of an invitation leads. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect, useEffectEvent, useState } from "react"
import { useMethods } from "../api/methods.ts"
import { organizationsQuery } from "../api/organizations.ts"
import { ApiError } from "../api/problem.ts"
import { chooseProject, projectsQuery, sessionQuery, signOut } from "../api/session.ts"
import { useSubmit } from "../api/useSubmit.ts"
import { storedAs } from "../browser/place.ts"
import { SignInForm } from "../features/account/SignInForm.tsx"
import { SignOnForm } from "../features/account/SignOnForm.tsx"
import { SignUpForm } from "../features/account/SignUpForm.tsx"
import { InvitationCard } from "../features/invitation/InvitationCard.tsx"
import { type InvitationRecord, invitationQuery } from "../features/invitation/queries.ts"
import { useAcceptInvitation, useDeclineInvitation } from "../features/invitation/writes.ts"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { FormProblem } from "../ui/FormProblem.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Frame } from "./Frame.tsx"

const returnKey = storedAs("kanmon.invitation")

/** Remembers in this tab which invitation was open when the visitor left for an identity provider. */
const awaitReturn = (token: string, organizationName: string): void =>
  sessionStorage.setItem(returnKey, JSON.stringify([token, organizationName]))

const forgetReturn = (): void => sessionStorage.removeItem(returnKey)

/** The organization of the invitation that was open in this tab with the same token. */
const returnedTo = (token: string): string | undefined => {
  const [known, organizationName]: ReadonlyArray<unknown> = JSON.parse(sessionStorage.getItem(returnKey) ?? "[]")
  return known === token && typeof organizationName === "string" ? organizationName : undefined
}

/** Goes on into the organization. */
const useArrival = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async ({ organizationName }: { readonly organizationName: string }) => {
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
    const [projects, organizations] = await Promise.all([
      client.fetchQuery({ ...projectsQuery, staleTime: 0 }),
      client.fetchQuery({ ...organizationsQuery, staleTime: 0 })
    ])
    const joined = organizations.find(({ name }) => name === organizationName)
    const added = projects.find(({ organizationId }) => organizationId === joined?.id)
    if (added !== undefined) chooseProject(added.id)
    await navigate({ to: "/", replace: true })
    forgetReturn()
  }
}

/** Somebody is signed in: as the invited person, or as somebody else. */
const Answer = ({
  email,
  invitation,
  token
}: {
  readonly email: string
  readonly invitation: InvitationRecord
  readonly token: string
}) => {
  const client = useQueryClient()
  const arrive = useArrival()
  const navigate = useNavigate()
  const { mutateAsync: acceptInvitation } = useAcceptInvitation(token)
  const { mutateAsync: declineInvitation } = useDeclineInvitation(token)
  const { errors, isBusy, submit } = useSubmit()
  if (email.toLowerCase() !== invitation.email.toLowerCase())
    return (
      <>
        <Notice tone="degraded">
          {t("You are signed in as {email}, but the invitation is for {invited}.", {
            email,
            invited: invitation.email
          })}
        </Notice>
        <Button
          kind="primary"
          className="min-h-10"
          isDisabled={isBusy}
          onPress={() =>
            void submit(async () => {
              await signOut(client)
            })
          }
        >
          {t("Sign out and go on as {email}", { email: invitation.email })}
        </Button>
        <FormProblem errors={errors} />
      </>
    )
  const accept = () =>
    submit(async () => {
      await acceptInvitation()
      await arrive(invitation)
    })
  const decline = () =>
    submit(async () => {
      await declineInvitation()
      await navigate({ to: "/", replace: true })
    })
  return (
    <>
      <FormProblem errors={errors} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" className="min-h-10 flex-1" isDisabled={isBusy} onPress={() => void accept()}>
          {t("Accept the invitation")}
        </Button>
        <Button className="min-h-10 flex-1" isDisabled={isBusy} onPress={() => void decline()}>
          {t("Decline")}
        </Button>
      </div>
    </>
  )
}

type Way = "sign-in" | "sign-up" | "sign-on" | "sign-on-required"

/** The page without a session. */
const Entrance = ({ invitation, token }: { readonly invitation: InvitationRecord; readonly token: string }) => {
  const client = useQueryClient()
  const arrive = useArrival()
  const methods = useMethods()
  const [way, setWay] = useState<Way>(invitation.hasAccount ? "sign-in" : "sign-up")
  const [required, setRequired] = useState(invitation.email)
  const to = `/invitation?token=${encodeURIComponent(token)}`
  // A sign-in at an identity provider may use the invitation up before it leads back here.
  useEffect(() => awaitReturn(token, invitation.organizationName), [token, invitation.organizationName])
  // Passwords are switched off.
  const signsIn = way === "sign-in" || methods?.password === false
  if (way === "sign-on" || way === "sign-on-required")
    return (
      <SignOnForm
        isRequired={way === "sign-on-required"}
        email={required}
        to={to}
        onBack={() => setWay(invitation.hasAccount ? "sign-in" : "sign-up")}
      />
    )
  return (
    <>
      <p className="text-sm text-soft">
        {signsIn ? t("Sign in to accept the invitation.") : t("Create your account to accept the invitation.")}
      </p>
      {signsIn ? (
        <SignInForm
          email={invitation.email}
          to={to}
          onSignedIn={async () => {
            await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
          }}
        />
      ) : (
        <SignUpForm
          invitation={{ email: invitation.email, token }}
          onSignedUp={() => arrive(invitation)}
          onSignOnRequired={(email) => {
            setRequired(email)
            setWay("sign-on-required")
          }}
        />
      )}
      {methods?.password !== false && (
        <div className="-ms-3.5 flex flex-wrap gap-x-2">
          <Button kind="quiet" onPress={() => setWay(signsIn ? "sign-up" : "sign-in")}>
            {signsIn ? t("Create an account instead") : t("I have an account")}
          </Button>
          {!signsIn && (
            <Button kind="quiet" onPress={() => setWay("sign-on")}>
              {t("Single sign-on")}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

const Invitation = () => {
  const { token = "" } = useSearch({ from: "/invitation" })
  const { data: invitation, error } = useQuery({ ...invitationQuery(token), enabled: token !== "" })
  const { data: session } = useQuery(sessionQuery)
  const isInvalid = token === "" || (error instanceof ApiError && error.status > 0 && error.status < 500)
  const arrive = useArrival()
  const joined = isInvalid && session != null ? returnedTo(token) : undefined
  const enter = useEffectEvent((organizationName: string) => void arrive({ organizationName }))
  useEffect(() => {
    if (joined !== undefined) enter(joined)
  }, [joined])
  if (joined !== undefined) return null
  return (
    <Frame title={t("Invitation")}>
      {isInvalid ? (
        <Notice>
          {t("This invitation is not valid: it was used, revoked, or is older than seven days. Ask for a new one.")}
        </Notice>
      ) : (
        error !== null && <Notice>{error.message}</Notice>
      )}
      {invitation !== undefined && session !== undefined && (
        <>
          <InvitationCard invitation={invitation} />
          {session === null ? (
            <Entrance invitation={invitation} token={token} />
          ) : (
            <Answer invitation={invitation} token={token} email={session.user.email} />
          )}
        </>
      )}
    </Frame>
  )
}

export default Invitation
