'use client';

import { connect } from 'parlance/client';
import { useEffect, useState } from 'react';

export default function Page() {
  const [session, setSession] = useState();
  const [messages, setMessages] = useState([]);
  const [refusal, setRefusal] = useState('');

  useEffect(() => {
    if (!session) return;
    let left = false;
    (async () => {
      await session.subscriptions.add({ subscriptions: [{ name: 'general' }] });
      for await (const { message } of session.listen({ event_types: ['message'], apply_markdown: false })) {
        if (left) break;
        setMessages((shown) => [...shown, message]);
      }
    })().catch((error) => left || setRefusal(error.message));
    return () => {
      left = true;
      void session.close();
    };
  }, [session]);

  const logIn = async (form) => {
    const answer = await fetch('/login', { method: 'POST', body: JSON.stringify(Object.fromEntries(form)) });
    if (!answer.ok) return setRefusal(await answer.text());
    setRefusal('');
    // Without credentials, the session uses the browser's login.
    setSession(connect({ site: '/chat' }));
  };
  const send = (form) =>
    session.messages
      .send({ type: 'channel', to: 'general', topic: 'lunch', content: form.get('content') })
      .catch((error) => setRefusal(error.message));

  return (
    <main>
      <h1>The application</h1>
      {session ? (
        <>
          <ul>
            {messages.map(({ id, sender_full_name, content }) => (
              <li key={id}>
                {sender_full_name}: {content}
              </li>
            ))}
          </ul>
          <form action={send}>
            <input name="content" aria-label="Message" required /> <button type="submit">Send</button>
          </form>
        </>
      ) : (
        <form action={logIn}>
          <input name="name" aria-label="Name" defaultValue="ada" />{' '}
          <input name="password" aria-label="Password" type="password" /> <button type="submit">Log in</button>
        </form>
      )}
      <p role="alert">{refusal}</p>
    </main>
  );
}
