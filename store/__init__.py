"""The shop's data, and the rules that need nothing else."""

from store.database import Store, open_store, store_in_memory, utc_now
from store.demo import DEMO_CUSTOMER, demo_store
from store.model import Category, Item, Order, OrderStatus, Payment, Policy, Reach, Ticket
from store.tickets import Opening, Wanted

__all__ = [
    "DEMO_CUSTOMER",
    "Category",
    "Item",
    "Opening",
    "Order",
    "OrderStatus",
    "Payment",
    "Policy",
    "Reach",
    "Store",
    "Ticket",
    "Wanted",
    "demo_store",
    "open_store",
    "store_in_memory",
    "utc_now",
]
