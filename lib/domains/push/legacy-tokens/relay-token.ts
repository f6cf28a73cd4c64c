import type { PushToken } from '../../../adapters/push-relay.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { PushTokenRecord } from '../../../storage/interface/push-tokens.ts';
import { accountUuid } from '../account-uuid.ts';

/** A token in the format of the relay. */
export function relayToken(
  { user_id, kind, token, ios_app_id }: PushTokenRecord,
  organization: Pick<Organization, 'uuid'>,
): PushToken {
  return {
    realm_uuid: organization.uuid,
    user_uuid: accountUuid({ id: user_id }, organization),
    user_id,
    token,
    token_kind: kind === 'apns' ? 1 : 2,
    ...(ios_app_id === null ? {} : { ios_app_id }),
  };
}
