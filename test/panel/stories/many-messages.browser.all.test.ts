import { storyOfManyMessages } from './many-messages.ts';

storyOfManyMessages(800);
