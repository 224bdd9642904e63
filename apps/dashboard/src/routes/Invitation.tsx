/** `/invitation`: where the link of an invitation leads. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { organizationsQuery } from "../api/organizations.ts"
import { ApiError } from "../api/problem.ts"
import { request } from "../api/request.ts"
import { chooseProject, projectsQuery, sessionQuery } from "../api/session.ts"
import { useSubmit } from "../api/useSubmit.ts"
import { SignInForm } from "../features/account/SignInForm.tsx"
import { SignUpForm } from "../features/account/SignUpForm.tsx"
import { InvitationCard } from "../features/invitation/InvitationCard.tsx"
import { type InvitationRecord, invitationQuery } from "../features/invitation/queries.ts"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { FormProblem } from "../ui/FormProblem.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Frame } from "./Frame.tsx"

const pathOf = (token: string) => `/invitations/${encodeURIComponent(token)}`

/** Goes on into the organization. */
const useArrival = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (known: ReadonlyArray<string> = []) => {
    client.removeQueries({ queryKey: organizationsQuery.queryKey })
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
    const projects = await client.fetchQuery({ ...projectsQuery, staleTime: 0 })
    const added = projects.find(({ id }) => !known.includes(id))
    if (added !== undefined) chooseProject(added.id)
    await navigate({ to: "/", replace: true })
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
              await request("POST", "/auth/sign-out", { body: {} })
              client.clear()
              await client.fetchQuery(sessionQuery)
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
      const before = await client.fetchQuery(projectsQuery)
      await request("POST", `${pathOf(token)}/accept`)
      await arrive(before.map(({ id }) => id))
    })
  const decline = () =>
    submit(async () => {
      await request("POST", `${pathOf(token)}/decline`)
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

/** Nobody is signed in. */
const Entrance = ({ invitation, token }: { readonly invitation: InvitationRecord; readonly token: string }) => {
  const client = useQueryClient()
  const arrive = useArrival()
  const [signsIn, setSignsIn] = useState(invitation.hasAccount)
  return (
    <>
      <p className="text-sm text-soft">
        {signsIn ? t("Sign in to accept the invitation.") : t("Create your account to accept the invitation.")}
      </p>
      {signsIn ? (
        <SignInForm
          email={invitation.email}
          to={`/invitation?token=${encodeURIComponent(token)}`}
          onSignedIn={async () => {
            await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
          }}
        />
      ) : (
        <SignUpForm invitation={{ email: invitation.email, token }} onSignedUp={() => arrive()} />
      )}
      <Button kind="quiet" className="self-start -ms-3.5" onPress={() => setSignsIn(!signsIn)}>
        {signsIn ? t("Create an account instead") : t("I have an account")}
      </Button>
    </>
  )
}

const Invitation = () => {
  const { token = "" } = useSearch({ from: "/invitation" })
  const { data: invitation, error } = useQuery({ ...invitationQuery(token), enabled: token !== "" })
  const { data: session } = useQuery(sessionQuery)
  const isInvalid = token === "" || (error instanceof ApiError && error.status > 0 && error.status < 500)
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
