/** Adds a support chat to the page that loads this script. It uses the browser's login. */
import { connect, isChatError } from 'parlance/client';

const session = connect({ site: '/chat' });
const topic = 'support';

const box = document.createElement('details');
box.style =
  'position: fixed; right: 1rem; bottom: 1rem; width: min(20rem, calc(100% - 2rem)); padding: .5rem 1rem; border: 1px solid; border-radius: .5rem; background: Canvas';
box.innerHTML = `<summary>Write to us</summary>
<ol aria-live="polite" style="list-style: none; padding: 0; max-height: 50vh; overflow: auto"></ol>
<p role="alert"></p>
<form><label>Message <input name="content" required maxlength="10000" autocomplete="off"></label> <button>Send</button></form>`;
const [list, trouble, form] = ['ol', 'p', 'form'].map((name) => box.querySelector(name));

/** Shows a message as text, never as HTML. */
function show({ id, sender_full_name, content }) {
  // A message sent during the fetch arrives twice.
  if (list.querySelector(`[data-id="${id}"]`)) return;
  const line = document.createElement('li');
  line.dataset.id = id;
  line.textContent = `${sender_full_name}: ${content}`;
  list.append(line);
  line.scrollIntoView({ block: 'nearest' });
}

/** Shows the last messages and then new ones. A customer has exactly one channel. */
async function follow() {
  const { queue_id, last_event_id, subscriptions } = await session.register({
    event_types: ['message'],
    fetch_event_types: ['subscription'],
  });
  const { stream_id } = subscriptions[0];
  const narrow = [{ operator: 'channel', operand: stream_id }];
  const { messages } = await session.messages.list({ anchor: 'newest', num_before: 50, narrow, apply_markdown: false });
  for (const message of messages) show(message);
  form.onsubmit = async (event) => {
    event.preventDefault();
    try {
      await session.messages.send({ type: 'channel', to: stream_id, topic, content: form.content.value });
      form.reset();
      trouble.textContent = '';
    } catch (error) {
      trouble.textContent = error.message;
    }
  };
  const queue = { queue_id, last_event_id };
  for await (const { message } of session.listen({ queue, event_types: ['message'] })) show(message);
}

try {
  await session.users.me();
  document.body.append(box);
  for (;;) {
    try {
      await follow();
    } catch (error) {
      // The page was suspended and its queue has expired: fetch again.
      if (!isChatError(error, 'BAD_EVENT_QUEUE_ID')) throw error;
    }
  }
} catch (error) {
  // Without a login, show no support chat.
  if (!isChatError(error, 'UNAUTHORIZED')) trouble.textContent = error.message;
}
