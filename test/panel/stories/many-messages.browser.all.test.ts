import { storyOfManyMessages } from './many-messages.ts';

storyOfManyMessages(2_000);
