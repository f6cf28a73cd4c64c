import { hash } from 'node:crypto';
import {
  BadRequest,
  InvitationFailed,
  type InvitationProblem,
  InvitationUnusable,
  UnauthorizedPrincipal,
} from '../../../base/errors.ts';
import { describe, id, nonEmptyText } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { Channel } from '../../../model/channels.ts';
import type { GroupHead } from '../../../model/groups.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { deriveKey, sameKey } from '../../../rules/credentials.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isAdministrator, isOwner, OWNER } from '../../../rules/roles.ts';
import type { EmailVerification, Invitation, InvitationOffer } from '../../../storage/interface/invitations.ts';
import { administratorIds } from '../../../viewer/audiences.ts';
import type {
  AccountContext,
  ReadContext,
  Services,
  TransactionContext,
  WriteContext,
} from '../../../viewer/context.ts';
import { defaultChannelIds } from '../../channels/default-channels.ts';
import { mayInvite, mayInviteAs, wantedChannels, wantedGroups } from './offer.ts';

/** The caller's own pending invitation or, for administrators, any. All refusals have the same message. */
export async function accessInvitation(
  { tx, actor, now }: AccountContext,
  invitationId: number,
  { isForMany }: { isForMany: boolean },
): Promise<Invitation> {
  const invitation = await tx.invitations.byId(invitationId);
  const isThere = invitation && (invitation.email === null) === isForMany && problemOf(invitation, now) === undefined;
  if (!isThere || (invitation.invited_by_user_id !== actor.id && !isAdministrator(actor))) {
    throw new BadRequest(`There is no pending invitation ${isForMany ? 'link ' : ''}with ID ${invitationId}.`);
  }
  if (invitation.invited_as === OWNER && !isOwner(actor)) throw new UnauthorizedPrincipal('an organization owner');
  return invitation;
}

/** The link lets its holder create the account. So only users who can grant the same role may see it. */
export function maySeeLink(user: User, { invited_as }: Pick<InvitationOffer, 'invited_as'>): boolean {
  return invited_as === OWNER ? isOwner(user) : isAdministrator(user);
}

export const invitesChanged = defineEvent('invites_changed', {
  summary: 'The invitations that the reader can list have changed. Fetch the list again.',
  fields: {},
});

export async function emitInvitesChanged(context: WriteContext, inviterId: number): Promise<void> {
  const users = [...new Set([...(await administratorIds(context)), inviterId])];
  context.emit({ users }, invitesChanged({}));
}

/** 24 letters and digits: 142 bits. */
const SECRET_LENGTH = 24;

type InvitationKeyParts = Pick<Invitation, 'id' | 'seed' | 'is_numbered'>;

/**
 * The key of an invitation: the ID in base 36, and a secret of fixed length. It is derived, so that the link can be
 * shown again although the database does not store it.
 */
export function invitationKey(organization: Organization, { id, seed, is_numbered }: InvitationKeyParts): string {
  if (!is_numbered) return deriveKey(organization.secret, `invitation:${seed}`, SECRET_LENGTH);
  return id.toString(36) + deriveKey(organization.secret, `invitation:${seed}:${id}`, SECRET_LENGTH);
}

/** The invitation with a key, even if the invitation has ended. */
async function findInvitation({ tx, organization }: ReadContext, key: string): Promise<Invitation | undefined> {
  const number = key.slice(0, -SECRET_LENGTH);
  if (number === '') return tx.invitations.byKeyHash(hashOfKey(key));
  const id = /^[1-9a-z][0-9a-z]*$/.test(number) ? Number.parseInt(number, 36) : 0;
  const invitation = Number.isSafeInteger(id) ? await tx.invitations.byId(id) : undefined;
  // Does the same work for unknown IDs, so that the response time does not reveal which IDs exist.
  const expected = invitationKey(organization, invitation ?? { id, seed: '', is_numbered: true });
  return sameKey(key, expected) && invitation?.is_numbered ? invitation : undefined;
}

export const hashOfKey = (key: string) => hash('sha256', key, 'hex');

export function invitationLink({ options }: Services, key: string): string {
  return `${options.baseUrl}/join/${key}/`;
}

/** How long a link that confirms an address works, unless its invitation ends earlier. */
export const ADDRESS_LINK_HOURS = 24;

/** Invitation keys never start with it. */
const PREFIX = 'me-';

export const addressKey = (token: string) => PREFIX + token;

const isAddressKey = (key: string) => key.startsWith(PREFIX);

/** When a link expires unless its invitation ends earlier, in milliseconds since the epoch. */
const endOf = ({ created_ms }: EmailVerification) => created_ms + ADDRESS_LINK_HOURS * 3_600_000;

export const invitationKeyParam = describe(nonEmptyText(100), 'The last part of the invitation link.');

/** What an invitation gives if it is accepted now. */
export interface ValidInvitation {
  invitation: Invitation;
  /** When the link expires; null: never. */
  expires_ms: number | null;
  /** Address of the account: invited or confirmed. null: not known yet. */
  email: string | null;
  inviter: User;
  channels: Channel[];
  groups: GroupHead[];
}

/** Why an invitation has ended. Does not check what its inviter may still give. */
export function problemOf(invitation: Invitation, now: number): InvitationProblem | undefined {
  if (invitation.ended === 'accepted') return 'used';
  if (invitation.ended === 'revoked') return 'revoked';
  return invitation.expires_ms !== null && invitation.expires_ms <= now ? 'expired' : undefined;
}

/** Leaves out channels and groups that the inviter can no longer give. */
export async function accessValidInvitation(context: TransactionContext<'anyone'>, given: string) {
  const key = given.trim();
  if (isAddressKey(key)) return offerOfAddress(context, key);
  const invitation = await findInvitation(context, key);
  if (!invitation) throw new InvitationUnusable('unknown');
  const { confirmedEmail } = context;
  return usable(await findOffer(context, invitation, invitation.email ?? confirmedEmail?.trim() ?? null));
}

/** For a link that was sent to confirm an address. */
async function offerOfAddress(context: ReadContext, key: string): Promise<ValidInvitation> {
  const { tx, now } = context;
  const proof = await tx.emailVerifications.byKeyHash(hashOfKey(key));
  const invitation = proof && (await tx.invitations.byId(proof.invitation_id));
  if (!invitation) throw new InvitationUnusable('unknown');
  if (proof.is_used) throw new InvitationUnusable('used');
  if (now >= endOf(proof)) {
    const problem = `This link has expired after ${ADDRESS_LINK_HOURS} hours. Open the invitation again for a new link.`;
    throw new InvitationUnusable('expired', problem);
  }
  const offer = usable(await findOffer(context, invitation, proof.email));
  return { ...offer, expires_ms: Math.min(endOf(proof), offer.expires_ms ?? Number.POSITIVE_INFINITY) };
}

function usable(offer: ValidInvitation | InvitationProblem): ValidInvitation {
  if (typeof offer === 'string') throw new InvitationUnusable(offer);
  return offer;
}

export async function findOffer(context: ReadContext, invitation: Invitation, email: string | null) {
  const { tx, now } = context;
  const problem = problemOf(invitation, now);
  if (problem) return problem;
  const inviter = await tx.users.byId(invitation.invited_by_user_id);
  if (!inviter || !(await mayStillInvite(context, inviter, invitation))) return 'revoked';
  const channels = await wantedChannels(context, inviter, invitation.stream_ids);
  const given = new Map(channels.flatMap(({ id, channel, mayGive }) => (channel && mayGive ? [[id, channel]] : [])));
  if (invitation.include_realm_default_subscriptions) {
    for (const channel of await tx.channels.byIds(await defaultChannelIds(context))) given.set(channel.id, channel);
  }
  const groups = await wantedGroups(context, inviter, invitation.group_ids);
  return {
    invitation,
    expires_ms: invitation.expires_ms,
    email,
    inviter,
    channels: [...given.values()],
    groups: groups.flatMap(({ group, mayGive }) => (group && mayGive ? [group] : [])),
  };
}

async function mayStillInvite(context: ReadContext, inviter: User, invitation: Invitation): Promise<boolean> {
  if (!inviter.is_active || !mayInviteAs(inviter, invitation)) return false;
  return mayInvite(context, inviter, { isForMany: invitation.email === null });
}

/** The operations that revoke an invitation, complete with `run`. */
export const revocation = (kind: { isForMany: boolean }) =>
  ({
    access: 'human member',
    effect: 'write',
    audited: true,
    example: { invite_id: 7 },
    params: { invite_id: id },
    errors: [UnauthorizedPrincipal],
    async run(context: AccountContext, { invite_id }: { invite_id: number }) {
      const invitation = await accessInvitation(context, invite_id, kind);
      await context.tx.invitations.end(invitation.id, 'revoked', context.now);
      await emitInvitesChanged(context, invitation.invited_by_user_id);
    },
  }) as const;

const DAY_MS = 24 * 3_600_000;
/** High enough to invite a whole company in a day, low enough that a stolen API key cannot send mass e-mail. */
const MAX_DAILY_OF_ADMINISTRATOR = 10_000;

/** The limit is per user and 24 hours: a user cannot exhaust it for others. @param counted how many addresses count */
export async function takeFromDailyLimit(context: AccountContext, addresses: number, counted = addresses) {
  const { tx, actor, organization, now } = context;
  const limit = isAdministrator(actor) ? MAX_DAILY_OF_ADMINISTRATOR : organizationSetting(organization, 'max_invites');
  const sent = await tx.invitations.sentSince(actor.id, now - DAY_MS);
  if (sent + addresses > limit) {
    throw new InvitationFailed(
      `You can invite ${limit} people in 24 hours and have already invited ${sent}. Addresses with accounts count too. No invitations were sent.`,
      { daily_limit_reached: true },
    );
  }
  if (counted > 0) await tx.invitations.countSent(actor.id, counted, now);
}

/* Administrators list all pending invitations in one response, so their total is limited too. */

const MAX_OF_ORGANIZATION = 20_000;
const MAX_OF_ADMINISTRATOR = 10_000;
/** Or the daily limit of the organization, if it is higher. */
const MAX_OF_MEMBER = 1_000;

/** Counts multi-use links too, but not invitations that have ended. @param planned invitations to add */
export async function checkPendingLimits(context: AccountContext, planned: number): Promise<void> {
  const { tx, actor, organization, now } = context;
  const { all, own } = await tx.invitations.countPending(now, actor.id);
  const max = isAdministrator(actor)
    ? MAX_OF_ADMINISTRATOR
    : Math.max(MAX_OF_MEMBER, organizationSetting(organization, 'max_invites'));
  if (own + planned > max) {
    throw new BadRequest(`You can have at most ${max} pending invitations and have ${own}. Revoke some first.`);
  }
  if (all + planned > MAX_OF_ORGANIZATION) {
    throw new BadRequest(`An organization can have at most ${MAX_OF_ORGANIZATION} pending invitations. Revoke some.`);
  }
}
