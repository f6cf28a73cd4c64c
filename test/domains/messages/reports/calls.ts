import { type Changes, type PlainCalls, UNSEEN } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'messages.report': async ({ storage, messages, channels }) => {
    await storage.write(async (tx) => {
      const { settings = {} } = (await tx.organization.get()) ?? {};
      await tx.organization.update({ settings: { ...settings, moderation_request_channel_id: channels.shared } });
    });
    return { message_id: messages.vaultAfter, report_type: 'spam' };
  },
};

export const changes: Changes = { 'messages.report': UNSEEN };
